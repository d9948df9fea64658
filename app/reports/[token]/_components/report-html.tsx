import { render } from '@react-email/render';
import type { ReactElement, ReactNode } from 'react';

/** The look of the agency. */
export type PageBrand = { name: string; color: string; logoUrl?: string | null };

/**
 * Renders a document without scripts, the layout and the metadata of the marketplace, none of which a client may see.
 */
export async function htmlResponse(page: ReactElement, status = 200, headers: Record<string, string> = {}) {
  const html = (await render(page)).replace(/^<!DOCTYPE[^>]*>/i, '');
  return new Response(`<!DOCTYPE html>${html}`, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  });
}

const neutral: PageBrand = { name: '', color: '#2563eb' };

const styles = (color: string) => `
:root{color-scheme:light dark;--brand:${color};--link:color-mix(in oklab,${color} 92%,black);--ground:#f8f8fa;--card:#fff;--ink:#18181d;--muted:#5b5b66;--line:#dcdce3}
@media (prefers-color-scheme:dark){:root{--link:color-mix(in oklab,${color} 46%,white);--ground:#0d0d10;--card:#141418;--ink:#ececf1;--muted:#a5a5b2;--line:#33333c}}
@media print{:root{color-scheme:light;--link:color-mix(in oklab,${color} 92%,black);--ground:#fff;--card:#fff;--ink:#18181d;--muted:#5b5b66;--line:#dcdce3}.no-print{display:none!important}tr,figure{break-inside:avoid}h2{break-after:avoid}@page{size:A4 landscape;margin:12mm}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;border-top:6px solid var(--brand)}
main{max-width:90rem;margin:0 auto;padding:24px 16px;display:grid;gap:24px}a{color:var(--link);overflow-wrap:anywhere}h1{font-size:24px;line-height:1.3;margin:0;overflow-wrap:anywhere}h2{font-size:16px;margin:0 0 12px}
.agency{display:flex;gap:12px;align-items:center;font-weight:600;overflow-wrap:anywhere}.agency img{max-height:48px;max-width:200px;background:#fff;border-radius:4px}
.muted{color:var(--muted)}.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px;min-width:0}.charts{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr))}
figure{margin:0}table{width:100%;border-collapse:collapse}th{text-align:left;font-weight:600;color:var(--muted);font-size:12px}th,td{padding:8px;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}td p{margin:0}
.links th,figure th,.short{white-space:nowrap;overflow-wrap:normal}.links td:first-child{max-width:8rem}.bar{width:45%;vertical-align:middle;white-space:nowrap;font-size:0}.part{display:inline-block;height:10px;min-width:2px;background:var(--brand);border:1px solid var(--line);print-color-adjust:exact;-webkit-print-color-adjust:exact}.part.lost{background:var(--muted)}.key{width:10px;margin-right:4px}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.actions{display:flex;gap:12px;flex-wrap:wrap}
input,button{font:inherit;padding:10px 12px;border-radius:6px;border:1px solid var(--muted);min-height:44px}button{background:var(--brand);color:var(--on-brand);border-color:var(--line);font-weight:600;cursor:pointer}label{display:grid;gap:6px;font-weight:600}form{display:grid;gap:16px;max-width:24rem}.error{color:#b42318}
@media (prefers-color-scheme:dark){.error{color:#ff9a8f}}
@media print{main{display:block;padding:0}.charts,.agency{margin:0 0 12px}th,td{padding:3px 8px}}
@media screen and (max-width:900px){.links thead{position:absolute;clip-path:inset(50%);width:1px;height:1px}.links,.links tbody,.links tr,.links td{display:block}.links tr{padding:12px 0;border-bottom:1px solid var(--line)}.links td{border:0;padding:4px 0;max-width:none!important}.links td:empty{display:none}.links td::before{content:attr(data-label);display:block;color:var(--muted);font-size:12px}.links td.number{text-align:left}}
`;

type DocumentProps = {
  title: string;
  brand?: PageBrand;
  onBrand?: string;
  /** Styles of the page, after those of all pages. */
  styles?: string;
  referrer?: 'same-origin' | 'no-referrer';
  children: ReactNode;
};

/** Renders the frame of every page for an agency's clients: the look of the agency, and nothing else. */
export function ReportDocument({
  title,
  brand = neutral,
  onBrand = '#ffffff',
  styles: own = '',
  referrer = 'same-origin',
  children,
}: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content={referrer} />
        <title>{title}</title>
        {/* Without it, browsers request the icon of the marketplace. */}
        <link rel="icon" href="data:," />
        <style>{`${styles(brand.color)}:root{--on-brand:${onBrand}}${own}`}</style>
      </head>
      <body>
        <main>
          {brand.name ? (
            <div className="agency">
              {/* biome-ignore lint/performance/noImgElement: a data URL, in a document without Next.js */}
              {brand.logoUrl ? <img src={brand.logoUrl} alt="" /> : null}
              <span>{brand.name}</span>
            </div>
          ) : null}
          {children}
        </main>
      </body>
    </html>
  );
}

/** Renders the page of an unknown, revoked or expired report. */
export function ReportNotFound() {
  return (
    <ReportDocument title="Report not found">
      <h1>This report is not available</h1>
      <p className="muted">The address is wrong, or the report has ended. Ask the sender for a new link.</p>
    </ReportDocument>
  );
}
