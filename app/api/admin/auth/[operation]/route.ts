import { loginRoute, logoutRoute, meRoute } from '@/lib/auth/portal-routes';
import { joinRoutes } from '@/lib/auth/route';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  login: { POST: loginRoute('admin') },
  logout: { POST: logoutRoute() },
  me: { GET: meRoute('admin') },
});
