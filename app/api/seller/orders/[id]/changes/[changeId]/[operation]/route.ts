import { joinRoutes } from '@/lib/auth/route';
import { sellerChangeSteps } from '@/lib/orders/order/change-routes';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes(sellerChangeSteps);
