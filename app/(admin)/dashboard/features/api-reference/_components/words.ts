export const title = 'API reference';
export const description =
  'Every address that this installation serves beside its pages: who may call it, what it takes and what it answers.';
