@rem Windows has no exec: npm run demo, npm start and npm run worker replace their shell with the server, so that it gets npm's signals.
@%*
