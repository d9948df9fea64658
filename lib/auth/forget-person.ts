/**
 * The header of an answer that ends a session: the browser deletes what pages of the person left in its cache (also in
 * the back/forward cache) and in its storage. Not "cookies": the cookie that tells a known device from a new one stays
 * (known-device.ts), or each sign-in would be mailed as one on a new device. What a browser keeps for the device
 * rather than for a person, components/shell/keep-preferences.ts puts back.
 */
export const forgetPerson = { 'Clear-Site-Data': '"cache", "storage"' };
