'use client';

import Form from 'next/form';
import { useId, useRef } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { useSlashFocus } from '@/components/ui/keyboard';

/** Renders the search of the top bar. It opens My Sites with the search applied. */
export function SiteSearch({ action }: { action: string }) {
  const input = useRef<HTMLInputElement>(null);
  useSlashFocus(input);
  return (
    <search className="w-full max-w-md">
      <Form action={action} className="relative">
        <Icon name="search" className="absolute inset-y-0 left-2.5 my-auto text-subtle" />
        <input
          ref={input}
          type="search"
          name="q"
          aria-label="Search your sites"
          placeholder="Search your sites…"
          autoComplete="off"
          className={'control control-sm pl-8'}
        />
      </Form>
    </search>
  );
}

type SupportProps = {
  /** The support address; '' when none is configured. */
  address: string;
  templateHref: string;
};

const answers = [
  ['How long is a site Pending?', 'Until we review it. You’ll get a notification with the result.'],
  ['What if a site is Rejected?', 'Open it in My Sites, correct it and save to send it back to review.'],
  ['How do I find a page or an order?', 'Press Ctrl K (⌘ K on a Mac) to search pages, orders and sites.'],
  ['What do buyers see?', 'Your sites at our price. Your own price, name and address are never shown.'],
] as const;

/** Renders the seller's help: frequent questions and the support address. */
export function Support({ address, templateHref }: SupportProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label="Support"
        data-tooltip="Support"
        className={buttonClass({ variant: 'ghost', size: 'sm', square: true })}
      >
        <Icon name="circle-question-mark" />
      </button>
      <div id={id} popover="auto" className="top-popover">
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
            <Icon name="download" />
            CSV template
          </a>
          {address ? (
            <a
              href={`mailto:${address}`}
              className={buttonClass({ variant: 'ghost', size: 'sm', className: 'w-full justify-start px-2' })}
            >
              <Icon name="mail" />
              <span className="truncate">{address}</span>
            </a>
          ) : (
            <p className="px-2 py-1.5 text-muted text-xs">No support address has been set up yet.</p>
          )}
        </div>
      </div>
    </>
  );
}
