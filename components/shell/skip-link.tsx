/** Renders the first focusable element: moves to the page's content, the element with the id `main`. */
export function SkipLink() {
  return (
    <a href="#main" className="skip-link">
      Skip to content
    </a>
  );
}
