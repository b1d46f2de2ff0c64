// The orchestrator's own figures for /metrics, asked of its face whenever somebody looks.
import { Counter, Gauge, type Registry } from 'prom-client'
import { sharedLook } from '../../platform/http/metrics.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'

export function orchestratorMetrics(registry: Registry, orchestrator: Pick<Orchestrator, 'figures'>): void {
  const registers = [registry]
  const look = sharedLook(() => orchestrator.figures())
  new Counter({
    name: 'agents_created_total',
    help: 'Agents created',
    registers,
    async collect() {
      const { agents_created_total: created } = await look()
      this.reset()
      this.inc(created)
    },
  })
  new Gauge({
    name: 'websocket_connections_active',
    help: 'Agents with a live connection',
    registers,
    async collect() {
      this.set((await look()).websocket_connections_active)
    },
  })
  new Gauge({
    name: 'agents',
    help: 'Agents by status',
    labelNames: ['status'],
    registers,
    async collect() {
      const { agents_by_status: byStatus } = await look()
      this.reset()
      for (const [status, count] of Object.entries(byStatus)) this.set({ status }, count)
    },
  })
  new Gauge({
    name: 'approvals_pending',
    help: 'Tool requests that wait for a person',
    registers,
    async collect() {
      this.set((await look()).approvals_pending)
    },
  })
}
