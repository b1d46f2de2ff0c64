import { operations } from '../operation.ts'
import * as inbox from './inbox.ts'
import * as live from './live.ts'
import * as session from './session.ts'

/** These modules must export nothing but operations. */
export const gatewayOperations = operations(
  { service: 'gateway', port: 17000, mount: { service: 'controller', path: '/api' } },
  { ...session, ...inbox, ...live },
)
