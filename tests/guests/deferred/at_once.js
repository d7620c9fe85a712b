// Three calls at once, each of which may be refused.
const send = async (to) => {
    try {
        return await call_tool('mail.send', { to });
    } catch (error) {
        return error.message;
    }
};
await Promise.all([...'abc'].map(send))
