export const title = 'Feature Flags';
export const description =
  'Parts of the installation that can be turned off, for everybody and at once: on every screen and in the API.';
