/** The external services that the app can use. */
export const integrationNames = ['stripe', 'paypal', 'wechat', 'resend', 'smtp', 's3', 'clamd', 'openai'] as const;
export type IntegrationName = (typeof integrationNames)[number];
