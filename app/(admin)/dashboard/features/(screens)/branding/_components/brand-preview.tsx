import type { CSSProperties } from 'react';
import { Avatar } from '@/components/shell/avatar';
import { BrandMark } from '@/components/shell/brand';
import { Icon } from '@/components/ui/icon';

type BrandPreviewProps = {
  siteName: string;
  tagline: string;
  logoUrl: string | null;
  /** The CSS custom properties of the brand; undefined while a colour is invalid. */
  tokens: CSSProperties | undefined;
};

/** Previews the branding in the light and the dark theme. */
export function BrandPreview(props: BrandPreviewProps) {
  return (
    <div className="grid gap-4">
      <Pane theme="light" {...props} />
      <Pane theme="dark" {...props} />
    </div>
  );
}

function Pane({ theme, siteName, tagline, logoUrl, tokens }: BrandPreviewProps & { theme: 'light' | 'dark' }) {
  return (
    <figure className="grid gap-1.5">
      <figcaption className="text-muted text-xs">{theme === 'light' ? 'Light theme' : 'Dark theme'}</figcaption>
      <div
        data-theme={theme}
        style={tokens}
        className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] overflow-hidden rounded-lg border border-line bg-canvas text-ink text-sm"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 border-line border-r p-3">
          <span className="flex min-w-0 items-center gap-2 font-medium">
            {logoUrl ? (
              <picture className="shrink-0">
                <img src={logoUrl} alt="" className="h-6 w-auto max-w-20 object-contain" />
              </picture>
            ) : (
              <BrandMark className="size-6" />
            )}
            <span className="truncate">{siteName || 'Your name'}</span>
          </span>
          <span className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
            <span className="nav-link bg-accent-soft font-medium text-accent-ink">
              <Icon name="layout-dashboard" />
              <span className="truncate">Dashboard</span>
            </span>
            <span className="nav-link">
              <Icon name="wallet" />
              <span className="truncate">Wallet</span>
            </span>
          </span>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 bg-surface p-3">
          <span className="flex items-center justify-between gap-2">
            <span className="min-w-0 truncate text-muted">{tagline || 'Welcome Back'}</span>
            <Avatar name={siteName || 'Your name'} className="size-7 text-xs" />
          </span>
          <span className="flex flex-wrap items-center gap-3">
            <span className="btn btn-primary btn-sm">New order</span>
            <span className="text-accent-ink underline">A link</span>
          </span>
        </div>
      </div>
    </figure>
  );
}
