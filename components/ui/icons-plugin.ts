import {
  Bell,
  Bookmark,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  Columns3,
  EyeOff,
  FlaskConical,
  FolderKanban,
  Globe,
  Info,
  LayoutDashboard,
  LayoutGrid,
  LogOut,
  type LucideIcon,
  Menu,
  Moon,
  PowerOff,
  ReceiptText,
  Rows3,
  Search,
  SearchX,
  ShieldCheck,
  SlidersHorizontal,
  Star,
  Store,
  Sun,
  TriangleAlert,
  Wallet,
  X,
} from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import plugin from 'tailwindcss/plugin';

/** Those of the customer's frame and of the marketplace. */
const icons: Record<string, LucideIcon> = {
  bell: Bell,
  bookmark: Bookmark,
  'chevron-down': ChevronDown,
  'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight,
  'circle-alert': CircleAlert,
  'circle-check': CircleCheck,
  columns: Columns3,
  dashboard: LayoutDashboard,
  'eye-off': EyeOff,
  flask: FlaskConical,
  globe: Globe,
  grid: LayoutGrid,
  info: Info,
  'log-out': LogOut,
  menu: Menu,
  moon: Moon,
  'power-off': PowerOff,
  projects: FolderKanban,
  receipt: ReceiptText,
  rows: Rows3,
  search: Search,
  'search-x': SearchX,
  shield: ShieldCheck,
  sliders: SlidersHorizontal,
  star: Star,
  store: Store,
  sun: Sun,
  'triangle-alert': TriangleAlert,
  wallet: Wallet,
  x: X,
};

/** A drawing as an address in CSS. */
function drawing(icon: LucideIcon): string {
  const svg = renderToStaticMarkup(createElement(icon, { color: '#000' })).replace(/ (class|aria-hidden)="[^"]*"/g, '');
  return `url("data:image/svg+xml,${encodeURIComponent(svg).replaceAll('%20', ' ').replaceAll('%3D', '=').replaceAll('%22', "'")}")`;
}

/**
 * `icon-search size-4`: an icon as a class of an empty element that stands in a flex or grid line, in the colour of its
 * text. For what every visit loads: as elements, two dozen icons would weigh a tenth of the marketplace's page, and a
 * fifth of its own script. Only those that are used reach the stylesheet. Elsewhere lucide's components do.
 */
export default plugin(({ matchUtilities }) => {
  matchUtilities(
    {
      icon: (mask) => ({
        flexShrink: '0',
        backgroundColor: 'currentColor',
        mask: `${mask} center / contain no-repeat`,
        // A background would otherwise not be printed, and vanish where the system chooses the colours.
        printColorAdjust: 'exact',
        forcedColorAdjust: 'none',
      }),
    },
    { values: Object.fromEntries(Object.entries(icons).map(([name, icon]) => [name, drawing(icon)])) },
  );
});
