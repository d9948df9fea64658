import type { Tone } from '@/components/ui/badge';
import type { AnnouncementAudience, AnnouncementType } from '@/db/enums';

export const title = 'Notifications';
export const description = 'Announcements to many users at once. Appears in their notifications for 60 days.';

export const typeLabels: Readonly<Record<AnnouncementType, string>> = {
  info: 'Info',
  success: 'Success',
  warning: 'Warning',
  danger: 'Danger',
};

export const typeTones: Readonly<Record<AnnouncementType, Tone>> = {
  info: 'blue',
  success: 'green',
  warning: 'yellow',
  danger: 'red',
};

export const audienceLabels: Readonly<Record<AnnouncementAudience, string>> = {
  everyone: 'Everyone',
  customers: 'Customers',
  sellers: 'Sellers',
  staff: 'Staff',
};
