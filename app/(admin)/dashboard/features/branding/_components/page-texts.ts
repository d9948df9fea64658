export const title = 'Branding';
export const description =
  'Name, logo and colors of every portal, the sign-in pages, emails and invoices. Changes apply everywhere immediately.';
