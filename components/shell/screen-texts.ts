import { adminScreens } from './admin-nav';
import { sellerScreens } from './seller-nav';
import { userScreens } from './user-nav';

const screens = [...adminScreens, ...userScreens, ...sellerScreens];

/**
 * Returns the title and the description that the navigation declares for a screen. Pages call it when they are loaded,
 * so that a wrong path fails the build.
 */
export function screenTexts(href: string): { title: string; description: string } {
  const screen = screens.find((one) => one.href === href);
  if (!screen?.description) throw new Error(`The navigation declares no texts for ${href}.`);
  return { title: screen.title ?? screen.label, description: screen.description };
}
