export const title = 'App Integrations';
export const description = 'Connections to external services. Test sends a request to the service.';
