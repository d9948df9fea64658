/** Of spec 000, section 3. */
export const announcementTypes = ['info', 'success', 'warning', 'danger'] as const;
export type AnnouncementType = (typeof announcementTypes)[number];

/** Whose bells ring. Staff is everybody who may enter the admin console. */
export const announcementAudiences = ['everyone', 'customers', 'sellers', 'staff'] as const;
export type AnnouncementAudience = (typeof announcementAudiences)[number];
