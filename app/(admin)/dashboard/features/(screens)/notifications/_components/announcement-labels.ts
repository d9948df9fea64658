import type { AnnouncementAudience, AnnouncementType } from '@/db/enums';

export const typeLabels: Readonly<Record<AnnouncementType, string>> = {
  info: 'Info',
  success: 'Success',
  warning: 'Warning',
  danger: 'Danger',
};

export const audienceLabels: Readonly<Record<AnnouncementAudience, string>> = {
  everyone: 'Everyone',
  customers: 'Customers',
  sellers: 'Sellers',
  staff: 'Staff',
};
