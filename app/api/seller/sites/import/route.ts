export { editByFileRoute as POST } from '@/lib/sites/import/edit-route';
