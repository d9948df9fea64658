/** Whose keys can be kept (spec 000, section 3). */
export const apiKeyProviders = ['OpenAI', 'SEMRush', 'Ahrefs', 'Moz', 'Google API', 'Other'] as const;
export type ApiKeyProvider = (typeof apiKeyProviders)[number];
