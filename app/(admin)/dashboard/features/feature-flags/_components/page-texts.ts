export const title = 'Feature Flags';
export const description =
  'Turn parts of the installation on or off. Takes effect immediately for everyone, on every screen and in the API.';
