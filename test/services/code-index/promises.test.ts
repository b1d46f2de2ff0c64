import { expect, test } from 'vitest'
import { readConfig } from '../../../platform/core/config.ts'
import { readSettings } from '../../../platform/service/settings.ts'
import { indexOperations } from '../../../schemas/operations/code-index.ts'
import { settings } from '../../../services/code-index/settings.ts'

test('listens on 17012, on 7012 in production, or on SVC_PORT', () => {
  const portIn = (env: Record<string, string>) => readConfig({ HOME: '/h', ...env }).port(indexOperations, ['SVC_PORT'])
  expect([portIn({}), portIn({ SVC_ENV: 'production' }), portIn({ SVC_PORT: '8080' })]).toEqual([17012, 7012, 8080])
})

test('has the documented default for each variable', () => {
  expect(readSettings('index', settings, {})).toMatchObject({
    faults: [],
    values: {
      embeddingProvider: 'local',
      embeddingEndpoint: 'http://127.0.0.1:11434/v1',
      summaryEnabled: 'false',
      rerankEnabled: 'false',
      rerankCandidates: 30,
      lanceTable: 'code_chunks',
      watchInterval: 30,
      languages: 'rust,python,javascript,typescript',
      ignorePatterns: '.git,target,node_modules,dist',
    },
  })
})
