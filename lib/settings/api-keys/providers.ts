/** The supported providers of API keys. */
export const apiKeyProviders = ['OpenAI', 'SEMRush', 'Ahrefs', 'Moz', 'Google API', 'Other'] as const;
export type ApiKeyProvider = (typeof apiKeyProviders)[number];
