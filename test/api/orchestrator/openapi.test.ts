// OpenAPI document, beyond the list of operations.
import { expect, test } from 'vitest'
import { app } from '../stand.ts'
import { serveOrchestratorRoutes } from './stand.ts'

serveOrchestratorRoutes()

test('lists the orchestrator’s schemas in OpenAPI and resolves every reference to one', async () => {
  const document = (await app.inject('/openapi.json')).json()
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Agent', 'AgentInput', 'Workflow', 'WorkflowInput', 'Dispatch', 'Approval', 'Problem']),
  )
  const references = JSON.stringify(document)
    .match(/"\$ref":"[^"]+"/g)!
    .map((text) => text.slice(8, -1))
  for (const reference of new Set(references))
    expect(document.components.schemas).toHaveProperty([reference.replace('#/components/schemas/', '')])
})
