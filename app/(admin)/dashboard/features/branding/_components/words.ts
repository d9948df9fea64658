export const title = 'Branding';
export const description =
  'Name, logo and colours of every portal, the sign-in pages, e-mails and invoices. A change shows everywhere at once.';
