export const backupIntro = {
  title: 'Backup and Restore',
  description: 'Archives of all data: users, sites, orders, the books and the audit log.',
};

export const backupPath = '/dashboard/features/backup';

/** Formats "public.site_imports" as "Site imports". */
export function tableLabel(name: string): string {
  const words = (name.split('.').at(-1) ?? name).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
