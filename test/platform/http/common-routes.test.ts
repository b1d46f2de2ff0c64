import { describe, expect, test } from 'vitest'
import { noLog, type Log } from '../../../platform/core/log/log.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { ID, serve } from './fixture.ts'

describe('every service', () => {
  test('answers /health with the common fields and its own', async () => {
    expect((await (await serve()).inject({ url: '/health' })).json()).toEqual({
      status: 'ok',
      service: 'svc-sample',
      version: '1.2.3',
      uptime_secs: 0,
      things: 3,
    })
  })

  test('reports degraded if its health check fails', async () => {
    const health = async () => {
      throw new Problem(503, 'the database cannot be reached')
    }
    const response = await (await serve({ health })).inject({ url: '/health' })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ status: 'degraded', reason: 'the database cannot be reached' })
  })

  test('reports degraded if its health check times out', async () => {
    const response = await (await serve({ health: () => new Promise(() => undefined) })).inject({ url: '/health' })
    expect(response.json()).toMatchObject({
      status: 'degraded',
      reason: 'the health check did not finish within 2000 ms',
    })
  })

  test('answers /metrics with metrics by route template', async () => {
    const app = await serve()
    await app.inject({ url: `/things/${ID}` })
    await app.inject({ url: '/no/such/thing' })
    const response = await app.inject({ url: '/metrics' })
    expect(response.headers['content-type']).toMatch(/^text\/plain/)
    expect(response.body).toContain('service_info{service="svc-sample",version="1.2.3"} 1')
    expect(response.body).toContain('http_requests_total{method="GET",route="/things/{id}",status="200"} 1')
    expect(response.body).toContain('http_requests_total{method="GET",route="unmatched",status="404"} 1')
    expect(response.body).toContain(
      'http_request_duration_seconds_count{method="GET",route="/things/{id}",status="200"} 1',
    )
  })

  test('answers /openapi.json, 3.1, each shape named once', async () => {
    const document = (await (await serve()).inject({ url: '/openapi.json' })).json()
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths['/things'].post.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Thing',
    })
    expect(document.paths['/things'].post.responses.default.content['application/problem+json'].schema).toEqual({
      $ref: '#/components/schemas/Problem',
    })
    expect(document.components.schemas.Thing.properties.what.oneOf).toHaveLength(2)
    expect(document.paths['/things/{id}'].get.parameters[0]).toMatchObject({ name: 'id', in: 'path', required: true })
  })

  test('logs each request with its id and without the query', async () => {
    const lines: Record<string, unknown>[] = []
    const keep = (facts: Record<string, unknown>) => void lines.push(facts)
    const log = { ...noLog, info: keep, debug: keep } as Log
    await (
      await serve({ log })
    ).inject({
      method: 'PUT',
      url: `/things/${ID}?token=hunter2`,
      headers: { 'x-request-id': 'r-9', 'x-svc-actor': 'mia' },
    })
    expect(lines).toMatchObject([{ request_id: 'r-9', endpoint: 'PUT /things/{id}', status: 200, actor: 'mia' }])
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })
})
