// Generates src/shared/api/schema.d.ts from the server's OpenAPI document. Operation ids are left out: the server may
// reuse one in several areas, and the types named after them would replace each other. Error responses are left out
// too: all of them have the schema ErrorBody.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTs, { astToString } from 'openapi-typescript'

const source = process.argv[2] ?? new URL('../../http/openapi.json', import.meta.url)
const api = JSON.parse(readFileSync(source, 'utf8'))
for (const item of Object.values(api.paths)) {
  for (const operation of Object.values(item)) {
    if (!operation?.responses) continue
    delete operation.operationId
    const responses = Object.entries(operation.responses)
    operation.responses = Object.fromEntries(responses.filter(([status]) => status < '400'))
  }
}
delete api.components.responses
const types = astToString(await openapiTs(api, { alphabetize: true }))
const head = '// Made by `npm run api` from http/openapi.json. Do not edit.\n\n'
writeFileSync(new URL('../src/shared/api/schema.d.ts', import.meta.url), head + types)
