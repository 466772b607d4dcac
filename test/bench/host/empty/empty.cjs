module.exports = { activate() {} };
