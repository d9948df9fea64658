import { CopyButton } from '@/components/ui/copy-button';

/** A text to copy: a command, a file or a response. @param label the accessible name */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className="relative min-w-0">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls. */}
      <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-md border border-line bg-sunken">
        <pre className="w-max min-w-full p-3 pr-14 font-mono text-ink text-xs leading-5">{text}</pre>
      </section>
      <span className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label={`Copy ${label}`} />
      </span>
    </div>
  );
}
