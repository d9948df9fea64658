import type { PortApp } from '@/sandbox/server';
import { apiNotFound, apiRoutes } from './api';
import type { WechatGateway } from './gateway';
import { hostedRoutes } from './hosted-routes';

/** Creates the WeChat port: the API and the payment pages share one origin. */
export function wechatPort(gateway: WechatGateway): PortApp {
  return {
    routes: [...apiRoutes(gateway), ...hostedRoutes(gateway)],
    notFound: (request) => apiNotFound(gateway, request),
  };
}
