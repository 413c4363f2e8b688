export * from './mutations'
export * from './queries'
