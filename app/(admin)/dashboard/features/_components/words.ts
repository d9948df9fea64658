export const title = 'Feature Manager';
export const description =
  'What your marketplace offers, in your words. The list stands beside the registration, where people decide.';
