/** The style and position of a popover that opens under the top bar, at its right end. */
export const popoverClass =
  'fixed inset-auto top-[calc(var(--banner)+var(--top-bar)-0.25rem)] right-4 m-0 max-h-[min(32rem,calc(100dvh-6rem))] w-80 max-w-[calc(100vw-2rem)] overflow-y-auto rounded-lg bg-overlay text-ink shadow-overlay sm:right-6 open:animate-menu-in';
