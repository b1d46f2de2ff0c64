import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { unexpectedErrors } from '../async/unexpected-errors.ts'
import { exposition } from '../metrics/exposition.ts'
import { counter, register } from '../metrics/metrics.ts'
import { templateOf } from './identity.ts'

const LOOP_PRECISION_MS = 5

/** promtool reserves the suffix `_total` for counters. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** One label for all unknown addresses, so that clients cannot create labels. */
const UNMATCHED = 'unmatched'

let ofProcess: Registry | null = null

/** Created once, because its observers cannot be removed. */
function processRegistry(): Registry {
  if (ofProcess) return ofProcess
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const help = 'Unexpected errors by the place that caught them; each is logged'
  register(registry, counter('unexpected_errors_total', help, unexpectedErrors, 'place'))
  return (ofProcess = registry)
}

export function installMetrics(
  app: FastifyInstance,
  about: { service: string; version: string; path: string; processMetrics: boolean },
): Registry {
  const { processMetrics, path, ...info } = about
  const registry = processMetrics ? Registry.merge([processRegistry()]) : new Registry()
  const labelNames = ['method', 'route', 'status'] as const
  new Gauge({
    name: 'service_info',
    help: 'Always 1; labels give the service and its version',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set(info, 1)
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.isHandedOn) return done()
    const { method, routeOptions } = request
    const route = routeOptions.url === undefined ? UNMATCHED : templateOf(routeOptions.url)
    const labels = { method, route, status: String(reply.statusCode) }
    requests.inc(labels)
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  app.get(
    path,
    { schema: { summary: 'Metrics for a monitoring system', produces: ['text/plain'] } },
    async (_request, reply) => {
      return reply.type(registry.contentType).send(await exposition(registry))
    },
  )
  return registry
}
