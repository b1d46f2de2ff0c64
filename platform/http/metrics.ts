// GET /metrics: text exposition from a registry of the service's own.
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Requests to addresses that no route has share one label, so that nobody can make labels at will. */
const UNMATCHED = 'unmatched'

export function installMetrics(app: FastifyInstance, about: { service: string; version: string }): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labelNames = ['method', 'route', 'status'] as const
  new Gauge({
    name: 'service_info',
    help: 'Always 1; which service in which version',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set(about, 1)
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer',
    labelNames,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url?.replace(/:(\w+)/g, '{$1}') ?? UNMATCHED,
      status: String(reply.statusCode),
    }
    requests.inc(labels)
    durations.observe(labels, reply.elapsedTime / 1000)
  })
  app.get(
    '/metrics',
    { schema: { summary: 'Figures for a monitoring system', produces: ['text/plain'] } },
    async (_request, reply) => {
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  )
  return registry
}

/** Metrics are collected side by side: those that come from one look at the service share it. */
export function sharedLook<T>(look: () => Promise<T>): () => Promise<T> {
  let looking: Promise<T> | null = null
  return () => (looking ??= look().finally(() => (looking = null)))
}
