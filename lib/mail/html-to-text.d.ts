/** The package has no types. */
declare module 'html-to-text' {
  /** Compiles options to a function that converts HTML to plain text. */
  export function compile(options: { wordwrap: false; selectors: readonly object[] }): (html: string) => string;
}
