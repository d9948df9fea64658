export const title = 'API reference';
export const description =
  'Every API endpoint of this installation: who can call it, what it accepts and what it returns.';
