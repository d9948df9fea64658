'use client';

import { CircleHelp, Download, Mail } from 'lucide-react';
import { useId } from 'react';
import { buttonClass } from '../ui/button-class';
import { popoverClass } from './popover-class';

type SupportProps = {
  /** The support address; '' when none is configured. */
  address: string;
  templateHref: string;
};

const answers = [
  ['How long is a site Pending?', 'Until somebody here has reviewed it. The bell tells you what came of it.'],
  ['Why was a site Rejected?', 'Open it in My Sites, mend what is wrong and save: it goes back to review.'],
  ['What do buyers see?', 'Your sites with our price; never your own price, your name or your address.'],
] as const;

/** The seller's help: frequent questions and the support address. */
export function Support({ address, templateHref }: SupportProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label="Support"
        title="Support"
        className={buttonClass({ variant: 'ghost', size: 'sm', square: true })}
      >
        <CircleHelp className="size-4" />
      </button>
      <div id={id} popover="auto" className={popoverClass}>
        <h2 className="border-line border-b px-3 py-2.5 font-medium text-ink text-sm">Support</h2>
        <dl className="grid gap-3 px-3 py-3 text-sm">
          {answers.map(([question, response]) => (
            <div key={question}>
              <dt className="text-ink">{question}</dt>
              <dd className="mt-0.5 text-muted">{response}</dd>
            </div>
          ))}
        </dl>
        <div className="grid gap-1 border-line border-t p-1">
          <a
            href={templateHref}
            download
            className={buttonClass({ variant: 'ghost', size: 'sm', className: 'w-full justify-start px-2' })}
          >
            <Download className="size-4" />
            CSV template
          </a>
          {address ? (
            <a
              href={`mailto:${address}`}
              className={buttonClass({ variant: 'ghost', size: 'sm', className: 'w-full justify-start px-2' })}
            >
              <Mail className="size-4" />
              <span className="truncate">{address}</span>
            </a>
          ) : (
            <p className="px-2 py-1.5 text-muted text-xs">
              This marketplace has not named an address for questions yet.
            </p>
          )}
        </div>
      </div>
    </>
  );
}
