export const title = 'App Integrations';
export const description = 'Every outside service, and whether it is really set up here. Test asks the service itself.';
