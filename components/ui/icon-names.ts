/** The icons of Lucide that the app uses. After a change, `npx vitest run tests/unit/icons.test.ts -u` writes icons.svg. */
export const iconNames = [
  ...['anchor', 'arrow-down', 'arrow-down-left', 'arrow-left', 'arrow-left-right', 'arrow-up'],
  ...['arrow-up-right', 'badge-check', 'ban', 'banknote', 'bell', 'bell-ring', 'book-check', 'book-open'],
  ...['bookmark', 'bot', 'braces', 'building-complex', 'calculator', 'calendar-clock'],
  ...['chart-no-axes-column', 'chart-no-axes-combined', 'check', 'chevron-down', 'chevron-last'],
  ...['chevron-left', 'chevron-right', 'chevron-up', 'circle-alert', 'circle-check'],
  ...['circle-dollar-sign', 'circle-pause', 'circle-play', 'circle-question-mark', 'circle-user-round'],
  ...['circle-x', 'clock', 'columns-3', 'copy', 'credit-card', 'database-backup', 'dices', 'door-open'],
  ...['download', 'ellipsis', 'external-link', 'eye', 'eye-off', 'file-badge', 'file-clock', 'file-down'],
  ...['file-pen-line', 'file-text', 'file-up', 'file-x', 'flask-conical', 'folder-kanban', 'folder-plus'],
  ...['globe', 'hammer', 'handshake', 'hourglass', 'house', 'inbox', 'info', 'key-round', 'key-square'],
  ...['keyboard', 'landmark', 'layers', 'layout-dashboard', 'layout-grid', 'lightbulb', 'link-2'],
  ...['link-2-off', 'list-checks', 'list-ordered', 'list-plus', 'lock-keyhole', 'log-out', 'mail'],
  ...['map-pin', 'menu', 'message-square', 'message-square-off', 'messages-square', 'monitor', 'moon'],
  ...['network', 'package', 'package-x', 'palette', 'paperclip', 'pencil', 'pencil-line', 'percent'],
  ...['piggy-bank', 'plug', 'plug-zap', 'plus', 'power', 'power-off', 'printer', 'receipt-text'],
  ...['redo-2', 'refresh-cw', 'rotate-ccw', 'rotate-ccw-clock', 'rows-3', 'scale', 'scroll-text'],
  ...['search', 'search-x', 'send', 'shield-check', 'shopping-bag', 'shopping-cart'],
  ...['sliders-horizontal', 'smartphone', 'sparkles', 'star', 'store', 'sun', 'tag', 'tags'],
  ...['text-search', 'timer', 'toggle-right', 'trash', 'trending-down', 'trending-up', 'triangle-alert'],
  ...['undo-2', 'unlink-2', 'upload', 'user-cog', 'user-plus', 'user-round', 'users', 'users-round'],
  ...['wallet', 'wallet-cards', 'wand-sparkles', 'webhook', 'wrench', 'x'],
] as const;

export type IconName = (typeof iconNames)[number];
