import { readStored, writeStored } from './browser-storage';

export type Theme = 'light' | 'dark';

type Portal = { path: string; storageKey: string };

/** The localStorage key of each portal's theme. */
const portals: Portal[] = [
  { path: '/dashboard', storageKey: 'theme' },
  { path: '/admin', storageKey: 'theme' },
  { path: '/seller', storageKey: 'seller-theme' },
];
const customer: Portal = { path: '/', storageKey: 'user-theme' };

function portalOf(pathname: string): Portal {
  return portals.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`)) ?? customer;
}

/** Returns the portal's theme: the user's choice, else the system's preference. Browser only. */
export function themeOf(pathname: string): Theme {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const stored = readStored(portalOf(pathname).storageKey);
  return stored === 'light' || stored === 'dark' ? stored : system;
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

/** Saves the theme for the portal of `pathname` and applies it. */
export function chooseTheme(pathname: string, theme: Theme): void {
  writeStored(portalOf(pathname).storageKey, theme);
  applyTheme(theme);
}

/** The logic of `themeOf` as the text of the inline script that runs before the first paint. */
export const themeScript = `(()=>{var p=location.pathname,r=${JSON.stringify(portals)}.find(r=>p===r.path||p.startsWith(r.path+"/"))||${JSON.stringify(customer)},t=null;try{t=localStorage.getItem(r.storageKey)}catch{}if(t!=="light"&&t!=="dark")t=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";document.documentElement.dataset.theme=t})()`;
