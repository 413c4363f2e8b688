// Makes src/shared/api/schema.d.ts from the server's description. Names of operations are left out: the server may
// use one name in several areas, and types that are named after them would then take each other's place.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTs, { astToString } from 'openapi-typescript'

const source = process.argv[2] ?? new URL('../../http/openapi.json', import.meta.url)
const api = JSON.parse(readFileSync(source, 'utf8'))
for (const item of Object.values(api.paths)) {
  for (const operation of Object.values(item)) {
    if (operation && typeof operation === 'object') delete operation.operationId
  }
}
const types = astToString(await openapiTs(api, { alphabetize: true }))
const head = '// Made by `npm run api` from http/openapi.json. Do not edit.\n\n'
writeFileSync(new URL('../src/shared/api/schema.d.ts', import.meta.url), head + types)
