/** The types of announcements. */
export const announcementTypes = ['info', 'success', 'warning', 'danger'] as const;
export type AnnouncementType = (typeof announcementTypes)[number];

/** The audiences. Staff is every user with access to the admin area. */
export const announcementAudiences = ['everyone', 'customers', 'sellers', 'staff'] as const;
export type AnnouncementAudience = (typeof announcementAudiences)[number];
