/** Renders the first focusable element: moves to the page's content, the element with the id `main`. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-3 focus:py-2 focus:font-medium focus:text-on-accent"
    >
      Skip to content
    </a>
  );
}
