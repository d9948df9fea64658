export const title = 'API Manager';
export const description =
  'API keys for external services. Keys are encrypted and can’t be viewed again, only replaced or deleted.';
