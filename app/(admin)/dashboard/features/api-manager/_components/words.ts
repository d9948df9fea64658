export const title = 'API Manager';
export const description =
  'Keys to outside services. They are kept encrypted; nobody can read one here again, only replace or delete it.';
