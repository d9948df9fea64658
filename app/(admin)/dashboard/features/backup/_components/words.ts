export const backupIntro = {
  title: 'Backup and Restore',
  description: 'An archive of everything: people, sites, orders, the books and the audit log.',
};

export const backupPath = '/dashboard/features/backup';

/** "Site imports" from "public.site_imports". */
export function tableLabel(name: string): string {
  const words = (name.split('.').at(-1) ?? name).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
