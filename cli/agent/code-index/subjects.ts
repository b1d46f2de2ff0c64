import { indexOperations } from '../../../schemas/operations/code-index.ts'
import { connect } from '../../http-client.ts'
import { subjectById } from '../../lookup.ts'

export const aRepository = {
  ...subjectById(
    'repository',
    'agent index list-repos',
    async (options) => (await connect(indexOperations, options).listRepositories()).repositories,
  ),
  help: 'Name, id or id prefix',
}
