/** "example.com/post" from "https://www.example.com/post/": what people call an address. */
export function bareUrl(url: string): string {
  return url
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '');
}
