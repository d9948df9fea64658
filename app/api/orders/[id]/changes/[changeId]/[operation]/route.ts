import { joinRoutes } from '@/lib/auth/route';
import { buyerChangeSteps } from '@/lib/orders/order/change-routes';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes(buyerChangeSteps);
