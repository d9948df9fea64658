export const title = 'Disputes';
export const description =
  'Disagreements between buyers and sellers about a placement. Decide those that they do not settle.';
