import { joinRoutes } from '@/lib/auth/route';
import { approveChangeRoute, withdrawChangeRoute } from '@/lib/orders/order/change-routes';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  approve: { POST: approveChangeRoute },
  withdraw: { POST: withdrawChangeRoute },
});
