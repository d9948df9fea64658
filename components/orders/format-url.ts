/** Shortens "https://www.example.com/post/" to "example.com/post". */
export function formatUrl(url: string): string {
  return url
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '');
}
