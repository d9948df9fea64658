export { importCartRoute as POST } from '@/lib/orders/carts/import-route';
